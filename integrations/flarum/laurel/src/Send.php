<?php

namespace Laurel\Flarum;

use Flarum\Console\AbstractCommand;
use Symfony\Component\Console\Input\InputOption;

/** Sends the queue, each minute by Flarum's scheduler. */
class Send extends AbstractCommand
{
    public function __construct(private Queue $queue)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->setName('laurel:send')->setDescription('Send what waits to Laurel')
            ->addOption('again', null, InputOption::VALUE_NONE, 'Send the last two days again');
    }

    protected function fire(): int
    {
        if ($this->input->getOption('again')) {
            $this->queue->again();
        }
        $this->queue->send(50);

        return 0;
    }
}
