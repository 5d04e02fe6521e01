import { captureConsole } from "./monitoring/log";
import { type RunningServer, startServer } from "./server";
import { readSettings } from "./settings/settings";
import { StartError } from "./settings/start-error";
import { reportStart } from "./startup-banner";

try {
	const server = await startServer(readSettings(process.env, process.cwd()));
	stopOnSignal(server);
	reportStart(server, server.log);
	captureConsole(server.log);
} catch (error) {
	fail(error);
}

/**
 * Ctrl-C under `npm start` sends SIGINT twice, from the terminal and from npm. The handler ignores the
 * second signal, and stays registered so that the second signal does not end the process.
 */
function stopOnSignal(server: RunningServer): void {
	let stopping = false;
	const stop = () => {
		if (stopping) return;
		stopping = true;
		server.close().then(() => process.exit(0), fail);
	};
	process.on("SIGINT", stop);
	process.on("SIGTERM", stop);
}

/** A `StartError` explains itself. Anything else is a bug, and its stack is needed. */
function fail(error: unknown): never {
	console.error(error instanceof StartError ? error.message : error);
	process.exit(1);
}
