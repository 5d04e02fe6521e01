/** What the servers of this folder use of their runtimes. */

declare module "bun:sqlite" {
	export class Database {
		readonly filename: string;
		constructor(path: string);
		fileControl(operation: number, value: number): number;
	}
}

declare module "node:sqlite" {
	export class DatabaseSync {
		readonly isOpen: boolean;
		constructor(path: string);
		createSession(): object;
	}
}

interface RuntimeServer {
	hostname: string;
	port: number;
}
type RuntimeHandler = (request: Request) => Promise<Response>;

declare const Bun: {
	serve(options: RuntimeServer & { fetch: RuntimeHandler }): { url: URL };
};

declare const Deno: {
	serve(
		options: RuntimeServer & { onListen(address: { port: number }): void },
		handler: RuntimeHandler,
	): void;
};
