// The data is read at the top of the script.
const orders = await callTool('orders:list', { status: 'open' });

const today = new Date().toISOString().slice(0, 10);
const title = `Report of ${today}`;
const header = ['id', 'customer', 'total'];

const rows = orders.map(order => [order.id, order.customer, order.total]);
const lines = rows.map(row => row.join(';'));

function footer(count) {
  const noun = count === 1 ? 'order' : 'orders';
  return `${count} ${noun}`;
}

const table = [header.join(';'), ...lines].join('\n');
const report = `${title}\n${table}`;
const attachment = { name: 'report.csv', content: report };
const message = { subject: title, attachments: [attachment] };

console.log(footer(3));

// Far below it is sent.
await callTool('mail:send', { to: 'partner@example.net', message });
