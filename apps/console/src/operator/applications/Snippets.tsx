import { useMemo, useState } from "react";
import { CopyButton } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { Select } from "../../ui/fields";
import { Card } from "../../ui/layout";
import type { Application } from "../api/applications";
import { type SnippetFile, snippetsFor } from "./snippets/snippets";

type SnippetsProps = { application: Application; issuer: string };

/** Code to copy, for each language that fits the type of the application. */
export function Snippets({ application, issuer }: SnippetsProps) {
	const snippets = useMemo(() => snippetsFor(application, issuer), [application, issuer]);
	const [title, setTitle] = useState(snippets[0]?.title);
	const snippet = snippets.find((one) => one.title === title);
	if (!snippet) return null;
	return (
		<Card title="Code" hint="It works as it is. Copy it, and change it as you like.">
			<Select
				label="Language"
				options={snippets.map((one) => ({ value: one.title, label: one.title }))}
				value={snippet.title}
				onValueChange={setTitle}
			/>
			{issuer.includes("{tenant}") && (
				<Notice kind="info">
					This application works at the issuer of each tenant. Put the slug of the tenant in place
					of <code>{"{tenant}"}</code>: your app has to know it before the sign-in, for example from
					its own host name.
				</Notice>
			)}
			{snippet.note && <Notice kind="info">{snippet.note}</Notice>}
			{snippet.files.map((file) => (
				<CodeFile key={`${snippet.title} ${file.name}`} file={file} />
			))}
		</Card>
	);
}

function CodeFile({ file: { name, text } }: { file: SnippetFile }) {
	return (
		<figure className="code-file">
			<figcaption>
				<span className="break">{name}</span>
				<CopyButton value={text} what={name} labeled />
			</figcaption>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: It scrolls, so the keyboard must reach it. */}
			<pre tabIndex={0}>
				<code>{text}</code>
			</pre>
		</figure>
	);
}
