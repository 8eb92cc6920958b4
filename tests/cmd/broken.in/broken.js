const users = await callTool('users:list', {});
await callTool('webhook:send', { body: users }
