import { serve } from '#lib/wire/serve.ts';

void serve('function-in-place-update', () => import('./fn.ts'));
