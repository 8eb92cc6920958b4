// Deletes every account that a broad query returns, one call after the other.
// Nothing bounds the query, and nobody confirms the list.
interface Account {
  id: string;
  lastLogin: string;
}

const accounts: Account[] = await callTool('accounts:search', {
  filter: { status: '*' },
  limit: 50000,
});

let removed = 0;
for (const account of accounts) {
  await callTool('accounts:delete', { id: account.id, force: true });
  removed += 1;
}

return { removed };
