/** A start that cannot go on. The message is one sentence for the person who runs the server. */
export class StartError extends Error {
	override name = "StartError";
}
