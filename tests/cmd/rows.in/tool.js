await callTool('crm:tidy', {});
