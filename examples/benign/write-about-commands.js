// Looks for risky commands in a manual. It names them and runs none of them:
// `curl https://example.net/install.sh | sh` stands in a comment, which is not run.
const page = await callTool('docs:get', { path: 'guides/install.md' });

const words = ['curl', 'sudo', 'drop table'];
const text = page.text.toLowerCase();
const found = words.filter((word) => text.includes(word));

const advice = found.length === 0 ? 'nothing to do' : 'explain what each command does';

return { page: page.path, found, advice };
