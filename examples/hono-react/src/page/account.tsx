import { useEffect, useState } from "react";
import { callApi, client } from "./client.js";

interface Note {
	id: string;
	text: string;
}

export function Account({ user }: { user: { name: string; email: string } }) {
	const { data: tenant } = client.useTenant();
	const [notes, setNotes] = useState<Note[]>([]);

	useEffect(() => {
		callApi<Note[]>("/api/notes").then(setNotes);
	}, []);

	async function addNote(form: FormData) {
		const note = await callApi<Note>("/api/notes", { text: form.get("text") });
		setNotes((earlier) => [...earlier, note]);
	}

	return (
		<>
			<h1>{tenant?.name}</h1>
			<p>
				Hello, <b>{user.name}</b> ({user.email}).
			</p>
			<h2>Notes of {tenant?.name}</h2>
			<ul>
				{notes.map(({ id, text }) => (
					<li key={id}>{text}</li>
				))}
			</ul>
			<form action={addNote}>
				<label>
					New note <input name="text" required />
				</label>
				<button type="submit">Add</button>
			</form>
			<button type="button" onClick={() => client.signOut()}>
				Sign out
			</button>
		</>
	);
}
