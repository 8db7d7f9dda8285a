import { serve } from '#lib/wire/serve.ts';

void serve('function-machine', () => import('./fn.ts'));
