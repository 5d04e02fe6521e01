import * as z from "zod";
import { text } from "../../described";

export const stepSchema = z.object({
	/**
	 * - `config`: the settings are valid, and the credentials can be decrypted
	 * - `discovery`: the discovery document can be loaded, and the provider can be used
	 * - `keys`: the keys that ID tokens are checked with can be loaded
	 * - `redirect-uri`: the provider knows the client and its redirect URI
	 * - `client`: the provider accepts the client id with its secret
	 */
	name: z
		.enum(["config", "discovery", "keys", "redirect-uri", "client"])
		.meta({ description: "What was tested" }),
	state: z
		.enum(["passed", "failed", "unknown", "skipped"])
		.meta({ description: "unknown: the provider's response proves nothing" }),
	message: text("One sentence, with the provider's own words"),
});

export type Step = z.output<typeof stepSchema>;
export type Outcome = Omit<Step, "name">;

export const passed = (message: string): Outcome => ({ state: "passed", message });
export const failed = (message: string): Outcome => ({ state: "failed", message });
export const unknown = (message: string): Outcome => ({ state: "unknown", message });
export const skipped = (message: string): Outcome => ({ state: "skipped", message });
