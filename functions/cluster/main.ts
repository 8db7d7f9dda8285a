import { serve } from '#lib/wire/serve.ts';

void serve('function-cluster', () => import('./fn.ts'));
