await callTool('accounts:close', { id: 'usr_123' });
