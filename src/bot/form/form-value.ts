/** An entry of a select menu: the value it submits and the label it shows. */
export type Choice = { value: string; label: string }

/** What a form input contains: text, several values, or a choice together with its label. */
export type FormValue = string | string[] | Choice | undefined
export type FormValues = Record<string, FormValue>

/** The version of a record that an edit is based on. */
export type EditedRecord = { project_id: string; id: string; etag: string }
