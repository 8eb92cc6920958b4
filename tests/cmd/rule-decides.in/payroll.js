const pay = await callTool('payroll:get', { month: 7 });
return pay.total;
