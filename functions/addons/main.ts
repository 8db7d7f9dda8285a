import { serve } from '#lib/wire/serve.ts';

void serve('function-addons', () => import('./fn.ts'));
