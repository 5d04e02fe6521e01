export default function NotFound() {
	return (
		<main>
			<h1>Not found</h1>
			<p>There is no such page.</p>
		</main>
	);
}
