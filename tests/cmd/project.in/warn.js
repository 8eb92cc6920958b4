// Deletes what a list of ids names, one after the other.
for (const id of input.ids) {
  await callTool('accounts:delete', { id });
}
