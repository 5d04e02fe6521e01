import type { Command } from "commander";
import { expect, it } from "vitest";
import { page } from "../../../../packages/tenant-auth/test/docs/reference/markdown";
import { createProgram } from "../../src/cli/program";

const helpOf = (command: Command) =>
	`\`\`\`text\n${command.configureHelp({ helpWidth: 100 }).helpInformation().trimEnd()}\n\`\`\``;

/** A command, or the commands of its group. */
const sectionOf = (command: Command, level: string, group = ""): string[] => {
	const name = `${group}${command.name()}`;
	const heading = `${level} ${name}`;
	const commands = command.commands.filter((one) => one.name() !== "help");
	if (commands.length === 0) return [`${heading}\n\n${helpOf(command)}`];
	return [
		`${heading}\n\n${sentence(command.description())}`,
		...commands.flatMap((one) => sectionOf(one, `${level}#`, `${name} `)),
	];
};

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

it("docs/reference/service-cli.md is as the commands say", async () => {
	const program = createProgram({ json: false });
	const introduction =
		"The program `tenant-auth` comes with the [service](../service.md). [Deploying](../deploy.md#commands) says how to run it. Its settings come from the environment, as those of the service.";
	const commands = program.commands.flatMap((command) => sectionOf(command, "##"));
	await expect(
		page("Command line of the service", introduction, [helpOf(program), ...commands]),
	).toMatchFileSnapshot("../../../../docs/reference/service-cli.md");
});
