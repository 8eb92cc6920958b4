return await callTool('sql:query', { url: 'postgres://db.prod.example.com/main' });
