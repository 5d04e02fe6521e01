import { parseAccept } from "hono/utils/accept";
import type { Asset } from "./built-pages";

type Encoding = keyof Asset["compressed"];

/** The better one first: it is used where a client likes both as much. */
const ENCODINGS: readonly Encoding[] = ["br", "gzip"];

/**
 * The content coding that a client likes best, of those that an asset has
 * (https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3). `null` if it accepts none of them.
 */
export function findEncoding(
	acceptEncoding: string | undefined,
	{ compressed }: Pick<Asset, "compressed">,
): Encoding | null {
	const accepted = new Map(
		parseAccept(acceptEncoding ?? "").map(({ type, q }) => [type.toLowerCase(), q]),
	);
	const qualityOf = (name: Encoding) => accepted.get(name) ?? accepted.get("*") ?? 0;
	const [best] = ENCODINGS.filter((name) => compressed[name] && qualityOf(name) > 0).sort(
		(a, b) => qualityOf(b) - qualityOf(a),
	);
	return best ?? null;
}
