import { requireInstance } from "../../context/current-state";
import { OWN_HASH_KIND } from "../../options";
import type { ImportAuth } from "./auth";
import type { Source } from "./sources";

interface Survey {
	/** How many records there are. */
	total: number;
	/** Hashes that the app cannot verify, by kind. */
	missingKinds: Map<string, number>;
}

/**
 * Reads everything once, before anything is written. So a broken file changes nothing, and the progress bar
 * knows its end.
 *
 * @throws FileError
 */
export async function surveySource(auth: ImportAuth, source: Source): Promise<Survey> {
	const { passwordHashes } = requireInstance(await auth.$context).options;
	const missingKinds = new Map<string, number>();
	let total = 0;
	for await (const { converted } of source.read()) {
		total += 1;
		const kind = "user" in converted ? converted.user.password?.kind : undefined;
		if (typeof kind !== "string") continue;
		if (kind === OWN_HASH_KIND || Object.hasOwn(passwordHashes, kind)) continue;
		missingKinds.set(kind, (missingKinds.get(kind) ?? 0) + 1);
	}
	return { total, missingKinds };
}
