// Decodes a base64 attachment and counts its lines; what was decoded is never run.
const attachment = await callTool('attachments:get', { id: 'a-17' });

const text = atob(attachment.content);
const lines = text.split('\n').filter((line) => line.trim() !== '');

let longest = 0;
for (const line of lines) {
  longest = Math.max(longest, line.length);
}

return { lines: lines.length, longest };
