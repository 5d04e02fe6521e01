/** Next.js calls this when the server starts. */
export function register() {
	console.log(`Open http://localhost:${process.env.PORT ?? 3000}`);
}
