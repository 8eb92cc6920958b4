// Chooses between two tools by their full names; a reviewer sees both.
const order = await callTool('orders:get', { id: 90210 });

const isLate: boolean = order.dueDate < order.today;

const shipment = isLate
  ? await callTool('shipments:get', { orderId: 90210 })
  : await callTool('shipments:preview', { orderId: 90210 });

return {
  order: order.id,
  late: isLate,
  carrier: shipment.carrier ?? 'none',
};
