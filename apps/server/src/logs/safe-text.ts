/** Shorter values are words that lines are made of. */
const leastCharacters = 8;

/** A last net under everything that is logged: the server's own secrets are cut out of each line. */
export function withoutSecrets(secrets: string[]): (line: string) => string {
	// As they stand in JSON.
	const texts = secrets
		.filter((secret) => secret.length >= leastCharacters)
		.map((secret) => JSON.stringify(secret).slice(1, -1));
	if (texts.length === 0) return (line) => line;
	const pattern = new RegExp(texts.map(escaped).join("|"), "g");
	return (line) => line.replace(pattern, "[secret]");
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Links carry tokens, in their query or as the last part of their path. */
export function withoutLinks(text: string): string {
	return text
		.replace(/\b([a-z][a-z\d+.-]*:\/\/)([^\s/?#"'<>]*@)?([^\s/?#"'<>]*)[^\s"'<>]*/gi, "$1$3/…")
		.replace(/\?[^\s"'<>]*=[^\s"'<>]*/g, "?…");
}

type SafeError = {
	type: string;
	message: string;
	code?: string;
	stack?: string;
	cause?: SafeError;
};

/** Drivers put queries with their values, and fetches whole answers, into the fields of an error. */
export function safeError(error: unknown): SafeError {
	if (!(error instanceof Error)) return { type: typeof error, message: "" };
	const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
	return {
		type: error.name,
		message: withoutLinks(error.message),
		...(code ? { code } : {}),
		...(error.stack ? { stack: framesOf(error.stack) } : {}),
		...(error.cause ? { cause: safeError(error.cause) } : {}),
	};
}

/** The stack repeats the message, links and all. */
function framesOf(stack: string): string {
	return stack
		.split("\n")
		.filter((line) => /^\s+at /.test(line))
		.slice(0, 20)
		.join("\n");
}
