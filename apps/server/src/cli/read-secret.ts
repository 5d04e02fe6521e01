import { Failure, wrongUsage } from "./failure";

export type SecretSource = {
	/** The name of an environment variable. */
	secretEnv?: string;
	/** `false` for a client that has none. */
	secret: boolean;
};

/**
 * A client secret from where no other user of the machine sees it, and no history keeps it: never from
 * the command's arguments.
 */
export async function readSecret({ secretEnv, secret }: SecretSource): Promise<string> {
	if (!secret) return "";
	if (secretEnv) return requireFilled(process.env[secretEnv], `The variable ${secretEnv} is empty`);
	const typed = process.stdin.isTTY ? await prompt("Client secret: ") : await readAll();
	return requireFilled(typed, "There is no secret on standard input");
}

function requireFilled(value: string | undefined, problem: string): string {
	const filled = value?.replace(/\r?\n$/, "");
	if (filled) return filled;
	throw wrongUsage(`${problem}; --no-secret is for a client that has none.`);
}

async function readAll(): Promise<string> {
	let text = "";
	process.stdin.setEncoding("utf8");
	for await (const chunk of process.stdin) text += chunk;
	return text;
}

/** Shows nothing of what is typed. */
async function prompt(question: string): Promise<string> {
	const { stdin, stderr } = process;
	stderr.write(question);
	stdin.setRawMode(true);
	stdin.setEncoding("utf8");
	try {
		return await readLine();
	} finally {
		stdin.setRawMode(false);
		stdin.pause();
		stderr.write("\n");
	}
}

async function readLine(): Promise<string> {
	let line = "";
	// Not `for await`: that would end the stream, and a confirmation may come after.
	for (;;) {
		const keys = await new Promise<string>((resolve) =>
			process.stdin.once("data", (data) => resolve(String(data))),
		);
		for (const key of keys) {
			if (key === "\r" || key === "\n") return line;
			if (key === "\u0003") throw new Failure("Nothing was changed.", { code: "NOT_CONFIRMED" });
			if (key === "\u0004") return line;
			line = key === "\u007f" || key === "\b" ? line.slice(0, -1) : line + key;
		}
	}
}
