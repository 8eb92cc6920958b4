for (const name of ['a', 'b']) {
  await callTool('mail:send', { to: `${name}@corp.internal`, text: 'Lunch?' });
}
