// Reads one page of customers and answers with a number; no record leaves the script.
const customers = await callTool('customers:search', {
  filter: { city: 'Lyon', active: true },
  limit: 100,
});

const perPlan = {};
for (const customer of customers) {
  perPlan[customer.plan] = (perPlan[customer.plan] ?? 0) + 1;
}

return { total: customers.length, perPlan };
