import { importCommand } from "./import";
import type { Command } from "./shared/terminal";
import { upgrade } from "./upgrade";

export const COMMANDS: Readonly<Record<string, Command>> = { upgrade, import: importCommand };

/** What the program prints without a command. */
export const USAGE = `better-auth-tenant <command>

  upgrade  upgrade the database of an app with Better Auth to the schema with tenants
  import   bring users in: a file, an export of another service, or organizations

Use better-auth-tenant <command> --help for more.
`;
