// Loops over what it was given, and calls a tool whose name it was given.
for (const id of input.ids) {
  await callTool(input.tool, { id, limit: 20000 });
}
