// Closes one ticket that the user named, after a look at its state.
const ticket = await callTool('tickets:get', { id: 4711 });

if (ticket.state === 'closed') {
  return { changed: false };
}

await callTool('tickets:update', {
  id: 4711,
  state: 'closed',
  comment: 'Solved with the last release.',
});

return { changed: true };
