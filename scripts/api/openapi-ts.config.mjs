// The client in TypeScript that checks what it reads.
export default { plugins: ['@hey-api/client-fetch', 'zod', { name: '@hey-api/sdk', validator: { response: 'zod' } }] };
