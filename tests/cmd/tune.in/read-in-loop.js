// Reads three tickets one after the other; the loop changes nothing.
const ids = [4711, 4712, 4713];

const titles = [];
for (const id of ids) {
  const ticket = await callTool('tickets:get', { id });
  titles.push(`${ticket.id}: ${ticket.title}`);
}

return { titles };
