/** One variant as a server of its own, which tells how much CPU time it has used. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "better-auth/node";
import { openVariant, type VariantName } from "./variants";

export interface ServerTask {
	variant: VariantName;
	address: string;
}

const { variant, address } = JSON.parse(process.argv[2] ?? "") as ServerTask;
const { handler } = await openVariant(variant, address);
const server = createServer({ keepAliveTimeout: 0 }, toNodeHandler(handler));
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));

process.on("message", () => {
	globalThis.gc?.();
	const { user, system } = process.cpuUsage();
	process.send?.(user + system);
});
