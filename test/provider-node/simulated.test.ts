/** provider-node in the simulator satisfies the contract. */
import { describeProviderNode } from './conformance.ts';
import { simulatedPlayer } from './simulated-player.ts';

describeProviderNode(simulatedPlayer);
