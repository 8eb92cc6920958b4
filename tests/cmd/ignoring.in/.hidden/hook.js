// Reads one ticket that the user named.
return await callTool('tickets:get', { id: 7 });
