import { COMMANDS, USAGE } from "../../../src/command/commands";
import { page } from "./markdown";

const block = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;

export function cliPage(): string {
	const introduction =
		"The program `better-auth-tenant` comes with the package: run it with `npx` in the folder of your app. It loads your auth and works on its database.";
	const sections = Object.entries(COMMANDS).map(
		([name, { usage }]) => `## ${name}\n\n${block(usage)}`,
	);
	return page("Command line", introduction, [block(USAGE), ...sections]);
}
