import { serve } from '#lib/wire/serve.ts';

void serve('function-nodepool', () => import('./fn.ts'));
