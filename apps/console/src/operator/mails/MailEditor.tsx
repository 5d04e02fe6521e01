import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { formatTime } from "../../format";
import { Button } from "../../ui/Button";
import { Confirm } from "../../ui/Dialog";
import { Notice, Skeleton } from "../../ui/feedback";
import { Field, Form, TextField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import {
	MAIL_KINDS,
	MAIL_LANGUAGES,
	type MailContent,
	type MailTemplate,
	mailsKey,
} from "../api/mails";
import { useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { NOTHING_CHANGED, whyNotSaved, whyNotSent } from "../save-reasons";
import { useUnsavedChanges } from "../unsaved-changes";
import { MailView } from "./MailView";

const contentOf = ({ subject, text, button }: MailContent): MailContent => ({
	subject,
	text,
	button,
});

/** The form for one mail in one language, with a preview that the server makes. */
export function MailEditor({ template }: { template: MailTemplate }) {
	const tenant = useTenant();
	const { setMailTemplate, resetMailTemplate, sendMailTest } = useApi();
	const stored = contentOf(template);
	const [content, setContent] = useState(stored);
	const [isResetting, setResetting] = useState(false);
	const { kind, language, source, writtenIn } = template;
	const name = { kind, language };
	const invalidate = [mailsKey(tenant.id)];
	const save = useApiMutation({
		mutationFn: () => setMailTemplate(tenant.id, name, content),
		successMessage: "Saved.",
		invalidate,
	});
	const reset = useApiMutation({
		mutationFn: () => resetMailTemplate(tenant.id, name),
		successMessage: "The text is reset.",
		invalidate,
		onSuccess: () => setResetting(false),
	});
	const sendTest = useApiMutation({ mutationFn: () => sendMailTest(tenant.id, name, content) });
	const isChanged = JSON.stringify(content) !== JSON.stringify(stored);
	useUnsavedChanges(isChanged && !save.isPending);
	const field = (part: keyof MailContent) => ({
		value: content[part],
		onValueChange: (value: string) => setContent((current) => ({ ...current, [part]: value })),
	});
	const may = useMayInTenant();
	const isOwn = source === "tenant" && writtenIn === language;
	const { preview, problem } = usePreview(name, content);
	return (
		<div className="columns mail-columns">
			<Card title={MAIL_KINDS[kind]} hint={sourceOf(template)}>
				<Form onSubmit={() => isChanged && !problem && !save.isPending && save.mutate()}>
					{save.error && <Notice kind="danger">{save.error.message}</Notice>}
					<TextField
						label="Subject"
						maxLength={150}
						required
						autoComplete="off"
						{...field("subject")}
					/>
					<Field
						label="Text"
						hint="An empty line starts a paragraph. {{link}} is a paragraph of its own and becomes the button."
					>
						{(control) => (
							<textarea
								{...control}
								className="control control-area mail-text"
								maxLength={5000}
								required
								value={content.text}
								onChange={({ target }) => setContent({ ...content, text: target.value })}
							/>
						)}
					</Field>
					<TextField
						label="Button"
						maxLength={60}
						required
						autoComplete="off"
						{...field("button")}
					/>
					<p className="field-hint">
						Placeholders:{" "}
						{template.placeholders.map((placeholder) => (
							<code key={placeholder} className="placeholder">{`{{${placeholder}}}`}</code>
						))}
					</p>
					<div className="row">
						<Button
							kind="primary"
							type="submit"
							busy={save.isPending}
							unavailable={
								may("mail-template:set")
									? whyNotSaved(isChanged, problem === null)
									: "You may not change emails."
							}
						>
							Save text
						</Button>
						<Button
							unavailable={isChanged ? null : NOTHING_CHANGED}
							onClick={() => setContent(stored)}
						>
							Discard changes
						</Button>
						{isOwn && may("mail-template:reset") && (
							<Button onClick={() => setResetting(true)}>Reset</Button>
						)}
					</div>
				</Form>
			</Card>
			<Card
				title="Preview"
				hint="With invented values."
				actions={
					may("mail-template:set") && (
						<Button
							size="small"
							busy={sendTest.isPending}
							unavailable={whyNotSent(problem === null)}
							onClick={() => sendTest.mutate()}
						>
							Send to myself
						</Button>
					)
				}
			>
				{sendTest.error && (
					<Notice kind="danger">The email was not sent. {sendTest.error.message}.</Notice>
				)}
				{sendTest.data && <Notice kind="success">{describeTest(sendTest.data)}</Notice>}
				{problem && <Notice kind="warning">{problem}</Notice>}
				{!preview && !problem && <Skeleton kind="block" />}
				{preview && <MailView mail={preview} />}
			</Card>
			<Confirm
				title="Reset this text?"
				action="Reset"
				open={isResetting}
				mutation={reset}
				onClose={() => setResetting(false)}
			>
				<p>The tenant's own text in {MAIL_LANGUAGES[language]} is deleted.</p>
			</Confirm>
		</div>
	);
}

const describeTest = ({ to, sent }: { to: string; sent: boolean }) =>
	sent
		? `The mail server has accepted the email to ${to}.`
		: `The email to ${to} is in the outbox. This service has no mail server.`;

/** Whose text it is that users get now. */
function sourceOf({ source, writtenIn, language, updatedAt }: MailTemplate): string {
	if (source === "built-in") return "This is the built-in text.";
	if (source === "service") return "This is the text of the service, for all tenants.";
	if (writtenIn !== language) {
		return `There is none in this language, so readers get the one in ${MAIL_LANGUAGES[writtenIn]}.`;
	}
	return updatedAt ? `The tenant's own text, changed ${formatTime(updatedAt)}.` : "";
}

const PAUSE_MS = 400;

/** Asks the server for a preview when the user pauses. The last one stays while the text is not usable. */
function usePreview(name: Pick<MailTemplate, "kind" | "language">, content: MailContent) {
	const tenant = useTenant();
	const { mailPreviewQuery } = useApi();
	const [asked, setAsked] = useState(content);
	useEffect(() => {
		const timer = setTimeout(() => setAsked(content), PAUSE_MS);
		return () => clearTimeout(timer);
	}, [content]);
	const { data, error } = useQuery({
		...mailPreviewQuery(tenant.id, name, asked),
		placeholderData: (previous) => previous,
	});
	return { preview: data, problem: error?.message ?? null };
}
