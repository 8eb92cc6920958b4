// Copies a whole table with a limit that is none, then drops the table.
type Row = Record<string, unknown>;

const rows: Row[] = await callTool('database:query', {
  sql: 'SELECT * FROM payments',
  limit: 5000000,
});

const wanted = await callTool('customers:query', {
  filter: '*',
  limit: 1000000,
});

await callTool('database:execute', {
  sql: 'DROP TABLE payments; DROP DATABASE archive;',
});

return { copied: rows.length, customers: wanted.length };
