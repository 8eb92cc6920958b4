// Posts a fixed text to a channel of the team; nothing that was read goes into it.
interface Notice {
  channel: string;
  text: string;
}

const notice: Notice = {
  channel: 'releases',
  text: 'The weekly release is ready for review.',
};

const posted = await callTool('chat:send', notice);

return { id: posted.id };
