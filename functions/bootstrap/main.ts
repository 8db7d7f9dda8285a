import { serve } from '#lib/wire/serve.ts';

void serve('function-bootstrap', () => import('./fn.ts'));
