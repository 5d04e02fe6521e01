import { useState } from "react";
import { Button } from "../../ui/Button";
import { Field, TextField } from "../../ui/fields";
import { CHOSEN_TYPES, prepareLogo } from "./prepare-logo";

/** An image that is chosen and not uploaded yet. */
export type ChosenLogo = { fileName: string; dataUrl: string };

type LogoFieldProps = {
	url: string;
	onUrlChange: (url: string) => void;
	urlError: string | undefined;
	chosen: ChosenLogo | null;
	onChoose: (chosen: ChosenLogo | null) => void;
};

/** A logo that is uploaded, or one that is elsewhere. */
export function LogoField(props: LogoFieldProps) {
	const { url, onUrlChange, urlError, chosen, onChoose } = props;
	const [error, setError] = useState<string>();
	const choose = async (file: File) => {
		setError(undefined);
		// If the new file cannot be used, the one before must not be uploaded in its place.
		onChoose(null);
		try {
			onChoose({ fileName: file.name, dataUrl: await prepareLogo(file) });
		} catch (cause) {
			setError(`${file.name}: ${(cause as Error).message}`);
		}
	};
	return (
		<fieldset className="stack">
			<legend className="visually-hidden">Logo</legend>
			<Field
				label="Upload a logo"
				hint="PNG, JPEG, WebP or SVG. A large image is made smaller."
				error={error}
			>
				{(control) => (
					<input
						{...control}
						type="file"
						className="control control-file"
						accept={CHOSEN_TYPES.join(",")}
						onChange={({ target }) => {
							const file = target.files?.[0];
							if (file) void choose(file);
							// The same file can be chosen again.
							target.value = "";
						}}
					/>
				)}
			</Field>
			{chosen ? (
				<div className="row" role="status">
					<span className="small break">{chosen.fileName} is uploaded when you save.</span>
					<Button size="small" onClick={() => onChoose(null)}>
						Discard<span className="visually-hidden"> {chosen.fileName}</span>
					</Button>
				</div>
			) : (
				<TextField
					label="Logo URL"
					hint="Of an uploaded logo, or of an image on another server. Empty it to remove the logo."
					type="url"
					placeholder="https://"
					autoComplete="off"
					value={url}
					onValueChange={onUrlChange}
					error={urlError}
				/>
			)}
		</fieldset>
	);
}
