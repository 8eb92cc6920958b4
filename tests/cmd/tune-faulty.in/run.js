return await callTool('tickets:get', { id: 7 });
