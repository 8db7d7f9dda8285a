/** The simulator plays provider-node as the contract has it. */
import { describeProviderNode } from './conformance.ts';
import { simulatedPlayer } from './simulated-player.ts';

describeProviderNode(simulatedPlayer);
