import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** How many of these objects something still uses. */
export async function countKept(objects: WeakRef<object>[]): Promise<number> {
	// An object may be kept until the end of the job that used it, and finalizers run in another one.
	for (let round = 0; round < 3; round++) {
		await setImmediate();
		collect();
	}
	return objects.filter((object) => object.deref() !== undefined).length;
}
