import { announce } from "./announcement";
import { captureConsole } from "./logs/foreign-logs";
import { type RunningServer, startServer } from "./server";
import { readSettings, StartError } from "./settings";

try {
	const server = await startServer(readSettings(process.env, process.cwd()));
	stopOnSignal(server);
	announce(server, server.log);
	captureConsole(server.log);
} catch (error) {
	fail(error);
}

/**
 * Ctrl-C under `npm start` reaches this process twice, from the terminal and from npm: only the
 * first signal counts, and the handler stays so that the second does not end the process.
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

/** A wrong setting is the reader's to mend and its sentence says all; anything else is ours. */
function fail(error: unknown): never {
	console.error(error instanceof StartError ? error.message : error);
	process.exit(1);
}
