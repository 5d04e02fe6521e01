import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../apps/server/test/temporary-directory";
import { readArguments } from "../src/arguments";
import { Canceled, resolveChoices } from "../src/questions";

const ENTER = "\r";
const DOWN = "\u001b[B";
const CONTROL_C = "\u0003";

/** Answers each question once it is shown. */
function terminalWith(answers: [question: string, keys: string][]) {
	const input = new PassThrough();
	const output = new PassThrough();
	// Each question would end it, as it cannot end the output of a process.
	output.end = () => output;
	let shown = "";
	const left = [...answers];
	output.setEncoding("utf8").on("data", (text: string) => {
		shown += text;
		const [question, keys] = left[0] ?? [];
		if (!question || !shown.includes(question)) return;
		left.shift();
		shown = "";
		setImmediate(() => input.write(keys));
	});
	return { input, output };
}

test("asks for what is not given", async () => {
	const directory = join(temporaryDirectory(), "shop");
	const terminal = terminalWith([
		["Directory", directory + ENTER],
		["Framework", ENTER],
		["Database", DOWN + ENTER],
	]);
	expect(await resolveChoices(readArguments([]), terminal)).toEqual({
		directory,
		framework: "express",
		database: "postgres",
	});
});

test("Ctrl-C ends the questions", async () => {
	const directory = join(temporaryDirectory(), "shop");
	const terminal = terminalWith([["Framework", CONTROL_C]]);
	await expect(resolveChoices(readArguments([directory]), terminal)).rejects.toThrow(Canceled);
});
